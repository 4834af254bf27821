/** What `brood/child` leaves for the host of the same program. */
export interface InstalledChild {
	/** Undefined where the program has none, as one that was not built from the package. */
	carried(): CarriedChild | undefined;
}

/** The sources of the child, inside a compiled program. */
export interface CarriedChild {
	/** The path of a file of JSON: texts by their paths in the package. */
	sources: string;
	/** Sixteen hexadecimal digits, which are others for other sources. */
	print: string;
}
