import { type ReactNode, use } from 'react'
import type { StepDrawing } from '#features/catalog/setup-rules.ts'
import { Mascot } from '../../brand/mascot.tsx'
import { cream, ink } from '../../brand/mascot-shapes.ts'
import { MascotShown } from '../../brand/mascot-shown.ts'

const bar = (name: string) => `var(--bar-${name})`
const backgrounds = ['mustard', 'plum', 'teal', 'cream', 'sky', 'lime']

interface Props {
  drawing: StepDrawing
  /** The position of the step, which selects the background color. */
  index: number
  /** The texts on the drawn screen: the names of app and provider, the code and an example login. */
  values: { app: string; provider: string; code: string; username: string; password: string }
}

/** The frame around the field or button that the user has to use in a step. */
const Focus = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => (
  <rect
    x={x - 3}
    y={y - 3}
    width={width + 6}
    height={height + 6}
    rx="6"
    fill="none"
    stroke={bar('mustard')}
    strokeWidth="2.500"
  />
)

function screenOf({ drawing, values }: Props, hasMascot: boolean): ReactNode {
  switch (drawing) {
    case 'downloader':
      return (
        <>
          <text x="80" y="22" className="big" textAnchor="middle">
            Downloader
          </text>
          <rect x="22" y="38" width="82" height="20" rx="4" fill={cream} />
          <text x="63" y="52" className="big" textAnchor="middle" fill={ink}>
            {cut(values.code || '• • • • • •', 12)}
          </text>
          <rect x="112" y="38" width="26" height="20" rx="4" fill={bar('ember')} />
          <text x="125" y="51" textAnchor="middle" fill={ink}>
            Go
          </text>
          <Focus x={112} y={38} width={26} height={20} />
          <path
            d="M30 73h0M41 73h0M52 73h0M63 73h0M74 73h0M85 73h0M96 73h0M107 73h0M118 73h0M129 73h0"
            stroke={bar('mole')}
            strokeWidth="8"
            strokeLinecap="round"
          />
        </>
      )
    case 'store':
      return (
        <>
          <rect x="14" y="12" width="132" height="14" rx="7" fill={cream} />
          <circle cx="23" cy="18.500" r="3" fill="none" stroke={ink} strokeWidth="1.500" />
          <path d="m25.500 21 2.500 2.500" stroke={ink} strokeWidth="1.500" />
          <text x="33" y="21.500" fill={ink}>
            {cut(values.app, 24)}
          </text>
          <rect x="14" y="34" width="56" height="46" rx="6" fill={bar('teal')} />
          <path d="M34 45v24l20-12Z" fill={cream} />
          <rect x="82" y="38" width="62" height="16" rx="5" fill={bar('lime')} />
          <text x="113" y="49" textAnchor="middle" fill={ink}>
            Install
          </text>
          <Focus x={82} y={38} width={62} height={16} />
          <path d="M84 66h50M84 76h34" stroke={bar('mole')} strokeWidth="5" strokeLinecap="round" />
        </>
      )
    case 'provider':
      return (
        <>
          <text x="14" y="19" className="big">
            Choose your provider
          </text>
          <rect x="14" y="28" width="84" height="13" rx="4" fill={bar('mole')} />
          <rect x="14" y="48" width="84" height="15" rx="4" fill={cream} />
          <circle cx="23" cy="55.500" r="3.500" fill={bar('ember')} />
          <text x="31" y="58" fill={ink}>
            {cut(values.provider, 13)}
          </text>
          <Focus x={14} y={48} width={84} height={15} />
          <rect x="14" y="70" width="84" height="13" rx="4" fill={bar('mole')} />
          {hasMascot && (
            <svg x="106" y="42" width="48" height="48" aria-hidden="true">
              <Mascot tier={4} eyes={3} size={48} />
            </svg>
          )}
        </>
      )
    case 'login':
      return (
        <>
          <text x="14" y="17" className="big">
            Enter your credentials
          </text>
          <text x="14" y="29" className="small">
            Username
          </text>
          <rect x="14" y="32" width="92" height="13" rx="3" fill={cream} />
          <text x="19" y="41" fill={ink}>
            {cut(values.username, 16)}
          </text>
          <text x="14" y="54" className="small">
            Password
          </text>
          <rect x="14" y="58" width="92" height="13" rx="3" fill={cream} />
          <text x="19" y="67" fill={ink}>
            {cut(values.password, 16)}
          </text>
          <Focus x={14} y={58} width={92} height={13} />
          <rect x="118" y="32" width="30" height="39" rx="5" fill={bar('mole')} />
          <path
            d="M133 52v14m0-5h5m-5 5h4"
            stroke={bar('teal')}
            strokeWidth="3"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
          <circle cx="133" cy="46" r="6" fill="none" stroke={bar('teal')} strokeWidth="3" />
        </>
      )
    case 'done':
      return (
        <>
          <text x="14" y="19" className="big">
            You are set
          </text>
          {tiles.map(({ x, y, ground, accent }) => (
            <g key={`${x} ${y}`}>
              <rect x={x} y={y} width="40" height="24" rx="3" fill={bar(ground)} />
              <circle cx={x + 28} cy={y + 9} r="5" fill={bar(accent)} />
              <path
                d={`M${x} ${y + 20}q10-10 20-2 9-8 20 1v3a3 3 0 0 1-3 3H${x + 3}a3 3 0 0 1-3-3Z`}
                fill={ink}
                opacity=".45"
              />
            </g>
          ))}
          <Focus x={14} y={28} width={40} height={24} />
        </>
      )
    case 'browser':
      return (
        <>
          <path fill={cream} d="M-20-20h200v140H-20Z" />
          <path fill={bar('mole')} d="M-20-20h200v36H-20Z" />
          <path d="M9 6h0M16 6h0M23 6h0" stroke={bar('mustard')} strokeWidth="4" strokeLinecap="round" />
          <rect x="34" y="1" width="100" height="10" rx="5" fill={cream} />
          <Focus x={34} y={1} width={100} height={10} />
          <rect x="12" y="24" width="96" height="56" rx="4" fill={bar('plum')} />
          <circle cx="84" cy="42" r="9" fill={bar('mustard')} />
          <path d="M12 72q24-26 48-6 20-18 48 4v6a4 4 0 0 1-4 4H16a4 4 0 0 1-4-4Z" fill={ink} opacity=".5" />
          <path d="M118 30h28M118 44h28M118 58h20" stroke={bar('mole')} strokeWidth="6" strokeLinecap="round" />
        </>
      )
  }
}

const tiles = [
  ['plum', 'mustard'],
  ['lime', 'cream'],
  ['sky', 'cream'],
  ['mustard', 'ember'],
  ['teal', 'cream'],
  ['ember', 'mustard'],
].map(([ground = '', accent = ''], at) => ({ x: 14 + (at % 3) * 46, y: 28 + Math.floor(at / 3) * 29, ground, accent }))

/** Truncates a text to `maxLength` characters, so that it fits into a drawn field. */
const cut = (text: string, maxLength: number) => (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text)

/** A drawn television that shows a step. Decorative: the text of the step contains the same information. */
export function StepPicture(props: Props) {
  const hasMascot = use(MascotShown)
  return (
    <svg viewBox="0 0 220 154" aria-hidden="true">
      <path fill={bar(backgrounds[props.index % backgrounds.length]!)} d="M-300-200h820v554h-820Z" />
      <rect x="18" y="14" width="184" height="112" rx="8" fill={ink} />
      <svg
        x="25"
        y="20"
        width="170"
        height="100"
        viewBox="0 0 160 94"
        preserveAspectRatio="xMidYMid slice"
        fill={cream}
        aria-hidden="true"
      >
        {screenOf(props, hasMascot)}
      </svg>
      <path d="m74 126-8 11M146 126l8 11" stroke={ink} strokeWidth="5" strokeLinecap="round" />
    </svg>
  )
}
