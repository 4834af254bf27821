/** Takes the place of child/socket.ts in a child of the bench alone: its stdin and stdout are moved away from the plugin. */
export { standardEnds as openSocket } from "../../../../child/guard-descriptors.ts";
