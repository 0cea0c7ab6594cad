import { ink, shapes } from './mascot-shapes.ts'

const { body, horns, skin, horn } = shapes[3]
const shade = `color-mix(in oklab, ${skin} 82%, ${ink})`

/** The mascot asleep, without a mouth. A separate component, so that public pages do not load it. */
export function SleepingMascot({ size }: { size: number }) {
  return (
    <svg className="mascot" viewBox="0 0 100 100" width={size} height={size} aria-hidden="true">
      <path d={horns} fill={horn} />
      <path d={body} fill={skin} />
      <circle cx="50" cy="53" r="16" fill={shade} />
      <path d="M40 55q10 8 20 0" fill="none" stroke={ink} strokeWidth="3.2" strokeLinecap="round" />
    </svg>
  )
}
