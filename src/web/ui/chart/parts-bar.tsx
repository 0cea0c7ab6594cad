export type Part = { key: string; label: string; value: number; share: string | null; text: string }

/** The parts of a whole as one bar, with a legend of the numbers. At most five parts. */
export function PartsBar({ parts }: { parts: Part[] }) {
  const whole = Math.max(
    1,
    parts.reduce((sum, { value }) => sum + value, 0),
  )
  let left = 0
  return (
    <>
      <svg aria-hidden="true" className="parts-bar">
        {parts.map(({ key, value }, index) => {
          const x = left
          left += (value / whole) * 100
          return (
            <rect
              key={key}
              className={`part-${index + 1}`}
              x={`${x}%`}
              width={`${(value / whole) * 100}%`}
              height="100%"
            />
          )
        })}
      </svg>
      <ul className="parts-legend">
        {parts.map(({ key, label, share, text }, index) => (
          <li key={key}>
            <svg aria-hidden="true" className="swatch">
              <rect className={`part-${index + 1}`} width="100%" height="100%" rx={3} />
            </svg>
            <span>
              {label} <span className="text-fg-2">{share}</span>
            </span>
            <b>{text}</b>
          </li>
        ))}
      </ul>
    </>
  )
}
