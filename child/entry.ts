import { startChild } from "./main.ts";

// The file that a host runs, by path or as text, to make a child.
void startChild();
