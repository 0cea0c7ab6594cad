/** Replaces `text`, which occurs in `file` exactly once, by `instead`. */
type Edit = { file: string; text: string; instead: string }
/** A control of the product and the edits that remove it; at least one of `tests` must then fail. */
export type Mutant = { control: string; edits: [Edit, ...Edit[]]; tests: string[] }
