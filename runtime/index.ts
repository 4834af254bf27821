/** The contract `brood/runtime`: the protocol, its peer and its codecs, for other programs that speak it. */

export { Bytes } from "./bytes.ts";
export type { ByteChannel, ByteChannelOptions, Channel, ChannelListener } from "./channel.ts";
export { openByteChannel } from "./channel.ts";
export { type MemoryEnd, memoryChannels } from "./channel-memory.ts";
export type { Codec, Decoded, Decoder, Encoded, PartedMessage, Slice } from "./codec/codec.ts";
export { agreedCodec, codecOf, type LineCodec, ndjson, ndjsonParts } from "./codec/ndjson.ts";
export { type Subscription, subscription } from "./disposable.ts";
export type { ErrorCode, ExitFacts, SourcePosition, Stage } from "./errors.ts";
export { BroodError, errorTable, isBroodError } from "./errors.ts";
export { type Limits, limits } from "./limits.ts";
export type { CallOptions, Frame, HandlerContext, Peer, PeerOptions } from "./peer.ts";
export { createPeer } from "./peer.ts";
export type * from "./protocol.ts";
export { protocolVersion } from "./protocol.ts";
export type * from "./records.ts";
export { createTap, type Tap, type TapFrame } from "./tap.ts";
export { type Handlers, type Remote, remote, serve } from "./typed.ts";
export type { ByteWire, WireListener } from "./wire.ts";
export { fromWireError, toWireError, type WireError } from "./wire-error.ts";
export { socketWire } from "./wire-socket.ts";
export { type ByteSink, streamWire } from "./wire-stream.ts";
