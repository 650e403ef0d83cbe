/** Prints a line of a measurement or a trial. */
export const print = (line: string): void => console.log(line)
