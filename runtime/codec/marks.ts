// What no JSON text holds outside of its strings, and escaped within them.
export const newline = 0x0a;
/** SOH, the ASCII start of a heading. */
export const headingStart = "\u0001";
/** STX, the ASCII start of the text that a heading is for. */
export const textStart = "\u0002";

/** What a part is: raw bytes, a string as UTF-8, or the JSON of a value. */
export type PartKind = "bytes" | "text" | "json";

/** Where in a message a part belongs; empty is the message itself. */
export type Path = (string | number)[];
