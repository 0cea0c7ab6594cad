import type { DeviceKind } from '../rules.ts'

/** The color bars on the screen of a device that is playing. */
const bars = ['cream', 'mustard', 'lime', 'teal', 'sky', 'plum', 'ember'] as const
type Screen = { x: number; y: number; width: number; height: number }

/** A drawing of a TV or laptop, with color bars while it is playing. Decorative, because the name of the channel is shown below it. */
export function DevicePicture({ kind, isPlaying, tone }: { kind: DeviceKind; isPlaying: boolean; tone: number }) {
  const screen: Screen =
    kind === 'browser' ? { x: 30, y: 18, width: 100, height: 58 } : { x: 23, y: 15, width: 114, height: 66 }
  return (
    <svg className={`screen-picture screen-tone-${tone % 3}`} viewBox="0 0 160 104" aria-hidden="true">
      {kind === 'browser' ? (
        <path d="M26 19a5 5 0 0 1 5-5h98a5 5 0 0 1 5 5v61H26zM12 82h136l-4 8c-1 2-3 3-5 3H21c-2 0-4-1-5-3z" />
      ) : (
        <path d="M24 12h112a4 4 0 0 1 4 4v64a4 4 0 0 1-4 4H24a4 4 0 0 1-4-4V16a4 4 0 0 1 4-4zM72 84h16l3 6H69zM58 89h44v4H58z" />
      )}
      <rect {...screen} rx="2" className="screen-dark" />
      {isPlaying &&
        bars.map((bar, index) => (
          <rect
            key={bar}
            x={screen.x + (screen.width / bars.length) * index}
            y={screen.y}
            width={screen.width / bars.length + 0.2}
            height={screen.height}
            fill={`var(--bar-${bar})`}
          />
        ))}
    </svg>
  )
}
