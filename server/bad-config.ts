/** A configuration error, shown to the operator as its message without a stack. */
export class BadConfig extends Error {}
