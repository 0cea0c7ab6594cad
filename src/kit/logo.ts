/** A wide logo contains the name; a narrower one is a mark beside it. */
export const logoContainsName = ({ width, height }: { width: number; height: number }): boolean => width > 1.6 * height
