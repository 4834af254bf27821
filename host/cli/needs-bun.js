// What a program under Node gets when it imports brood.
throw new Error(
	"brood runs under Bun, and this program does not. Start it with bun instead of node. " +
		"Get Bun with: npm install -g bun (or run: npx --package bun bun PROGRAM)",
);
