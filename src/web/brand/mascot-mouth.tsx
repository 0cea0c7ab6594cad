import { cream, ink, type Tier } from './mascot-shapes.ts'

const tooth = (x: number, width = 7, height = 8) => (
  <path key={x} d={`M${x} 76.5l${width / 2} ${height} ${width / 2}-${height}Z`} fill={cream} />
)
const smile = (d: string) => <path d={d} fill="none" stroke={ink} strokeWidth="3.4" strokeLinecap="round" />

/** The mouth of the mascot, which opens wider with each tier. */
export function MascotMouth({ tier }: { tier: Tier }) {
  if (tier === 1) return smile('M41 79q9 8 18 0')
  if (tier === 2) {
    return (
      <>
        {smile('M33 78q17 12 34 0')}
        <path d="M40 81.5l4 7.5 3.6-5.4Z" fill={cream} />
      </>
    )
  }
  if (tier === 3) {
    return (
      <>
        <path d="M27 76.5h46c0 12.5-10 19-23 19s-23-6.5-23-19Z" fill={ink} />
        <path d="M38 92.5c3-5 8-6.5 12-6.5s9 1.5 12 6.5c-3.5 2-7.5 3-12 3s-8.5-1-12-3Z" fill="var(--bar-plum)" />
        {[tooth(31), tooth(62)]}
      </>
    )
  }
  return (
    <>
      <path d="M23 76.5h54c0 13-12 20-27 20s-27-7-27-20Z" fill={ink} />
      {[tooth(27), tooth(39, 6, 6), tooth(55, 6, 6), tooth(66)]}
    </>
  )
}
