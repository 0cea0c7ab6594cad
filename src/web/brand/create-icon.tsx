import { createElement, type SVGProps } from 'react'

type IconData = { node: [tag: string, attributes: Record<string, string>][] }
type Props = SVGProps<SVGSVGElement> & { size?: number | string }

/**
 * Replaces Lucide's `createLucideIcon` in builds (`vite.config.ts`). Lucide repeats nine attributes for each icon, which were a tenth of the HTML of My
 * Account, and computes them at every render. Here the stylesheet sets the stroke (`.lucide`), and the paths of an icon are created once.
 */
// biome-ignore lint/style/noDefaultExport: it replaces a module of Lucide, which has one.
export default function createIcon({ node }: IconData) {
  const parts = node.map(([tag, attributes]) => createElement(tag, attributes))
  return function Icon({ size = 24, className, ...props }: Props) {
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: hidden from screen readers, unless its user gives it a label.
      <svg
        className={className ? `lucide ${className}` : 'lucide'}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        aria-hidden={props.role || props['aria-label'] ? undefined : true}
        {...props}
      >
        {parts}
      </svg>
    )
  }
}
