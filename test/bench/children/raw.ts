import { connectTo } from "../peers/fd-socket.ts";

/** Sends back what comes through descriptor 3. */
void connectTo(3, {
	data(socket, bytes) {
		socket.write(bytes);
	},
	close: () => process.exit(0),
});
