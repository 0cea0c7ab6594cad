/** Whether a logo is wide enough to contain the name. A narrower logo is a mark that is shown beside the name. */
export const logoContainsName = ({ width, height }: { width: number; height: number }): boolean => width > 1.6 * height
