/** Takes over a socket by its number, which the types of Bun leave out. */
export function connectTo(fd: number, socket: Bun.SocketHandler<undefined>): Promise<Bun.Socket<undefined>> {
	const options: Bun.FdSocketOptions & Pick<Bun.UnixSocketOptions<undefined>, "unix"> = { fd, unix: "", socket };
	return Bun.connect(options);
}
