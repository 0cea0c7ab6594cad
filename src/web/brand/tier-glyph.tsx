import type { Tier } from './mascot-shapes.ts'

/** One to four bars, shown instead of the mascot when it is switched off in the settings. */
export function TierGlyph({ tier, size = 48, className }: { tier: Tier; size?: number; className?: string }) {
  return (
    <svg className={className} viewBox="0 0 48 48" width={size} height={size} aria-hidden="true">
      {[1, 2, 3, 4].map((bar) => (
        <rect
          key={bar}
          x={bar * 10 - 6}
          y={38 - bar * 8}
          width="7"
          height={bar * 8 + 2}
          rx="2"
          fill="var(--brand-graphic)"
          fillOpacity={bar <= tier ? 1 : 0.22}
        />
      ))}
    </svg>
  )
}
