import type { ReactNode } from 'react'
import type { SetupDevice } from '#features/catalog/setup-rules.ts'
import { cream, ink } from '../../brand/mascot-shapes.ts'

const bar = (name: string) => `var(--bar-${name})`
const edge = bar('mole')

interface Area {
  x: number
  y: number
  width: number
  height: number
}

/** The picture on a drawn screen: hills in front of a sun. */
function Scene({ sky, sun, hills, ...area }: Area & { sky: string; sun: string; hills: string }) {
  return (
    <svg {...area} viewBox="0 0 100 60" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path fill={bar(sky)} d="M-60-60h220v180H-60Z" />
      <circle cx="70" cy="24" r="13" fill={bar(sun)} />
      <path fill={bar(hills)} d="M-60 52q40-34 82-6 22-24 46-4 26-20 92 10v68H-60Z" />
      <path fill={ink} opacity=".25" d="M-60 60q60-22 110-6 40-12 110 8v58H-60Z" />
    </svg>
  )
}
const scenes = {
  dusk: { sky: 'plum', sun: 'mustard', hills: 'ember' },
  day: { sky: 'sky', sun: 'cream', hills: 'lime' },
  dawn: { sky: 'mustard', sun: 'ember', hills: 'teal' },
  sea: { sky: 'cream', sun: 'ember', hills: 'sky' },
}
type SceneName = keyof typeof scenes

function Television({ scene, stand, ...area }: Area & { scene: SceneName; stand: 'feet' | 'bar' }) {
  const { x, y, width, height } = area
  const foot = y + height
  return (
    <>
      <rect {...area} rx="4" fill={ink} />
      <Scene {...scenes[scene]} x={x + 3} y={y + 3} width={width - 6} height={height - 6} />
      {stand === 'feet' ? (
        <path
          d={`M${x + 20} ${foot}l-6 7M${x + width - 20} ${foot}l6 7`}
          stroke={ink}
          strokeWidth="3.5"
          strokeLinecap="round"
        />
      ) : (
        <path d={`M${x + width / 2 - 8} ${foot}h16l2 5h12v3.5h-44V${foot + 5}h12Z`} fill={ink} />
      )}
    </>
  )
}

function Remote({ x, y, ring }: { x: number; y: number; ring: string }) {
  return (
    <g transform={`translate(${x} ${y}) rotate(14)`}>
      <rect width="14" height="44" rx="7" fill={ink} />
      <circle cx="7" cy="11" r="4.4" fill="none" stroke={bar(ring)} strokeWidth="2" />
      <path d="M4.5 23h0M9.5 23h0M4.5 30h0M9.5 30h0" stroke={cream} strokeWidth="3" strokeLinecap="round" />
    </g>
  )
}

function Phone({ scene, ...area }: Area & { scene: SceneName }) {
  const { x, y, width, height } = area
  return (
    <>
      <rect {...area} rx="6" fill={ink} />
      <Scene {...scenes[scene]} x={x + 3} y={y + 3} width={width - 6} height={height - 6} />
    </>
  )
}

const pictures: Record<SetupDevice, { ground: string; parts: ReactNode }> = {
  firestick: {
    ground: 'mustard',
    parts: (
      <>
        <Television x={14} y={12} width={104} height={64} scene="dusk" stand="feet" />
        <rect x="98" y="70" width="34" height="11" rx="3" fill={ink} />
        <rect x="91" y="72.5" width="8" height="6" rx="1" fill={edge} />
        <rect x="123" y="74.500" width="4" height="2" rx="1" fill={bar('lime')} />
        <Remote x={140} y={42} ring="ember" />
      </>
    ),
  },
  'android-tv': {
    ground: 'lime',
    parts: (
      <>
        <Television x={20} y={12} width={112} height={66} scene="day" stand="feet" />
        <rect x="54" y="86" width="44" height="9" rx="4" fill={ink} />
        <circle cx="91" cy="90.500" r="1.500" fill={bar('lime')} />
      </>
    ),
  },
  'android-phone': {
    ground: 'cream',
    parts: (
      <>
        <rect x="26" y="20" width="62" height="70" rx="7" fill={ink} />
        <Scene {...scenes.day} x={30} y={24} width={54} height={62} />
        <Phone x={98} y={14} width={40} height={80} scene="dusk" />
      </>
    ),
  },
  apple: {
    ground: 'cream',
    parts: (
      <>
        <Television x={10} y={12} width={92} height={58} scene="dawn" stand="bar" />
        <rect x="62" y="82" width="34" height="12" rx="4" fill={ink} />
        <g transform="rotate(-4 128 60)">
          <Phone x={112} y={28} width={34} height={64} scene="dusk" />
        </g>
      </>
    ),
  },
  samsung: {
    ground: 'sky',
    parts: (
      <>
        <Television x={14} y={12} width={116} height={70} scene="dawn" stand="bar" />
        <Remote x={140} y={46} ring="sky" />
      </>
    ),
  },
  lg: {
    ground: 'teal',
    parts: (
      <>
        <Television x={28} y={12} width={118} height={70} scene="sea" stand="feet" />
        <rect x="8" y="50" width="13" height="42" rx="6.500" fill={ink} />
        <circle cx="14.500" cy="62" r="4" fill={bar('plum')} />
      </>
    ),
  },
  web: {
    ground: 'ember',
    parts: (
      <>
        <rect x="26" y="14" width="108" height="68" rx="5" fill={ink} />
        <rect x="30" y="18" width="100" height="8" rx="2" fill={edge} />
        <path d="M35 22h0M40 22h0M45 22h0" stroke={cream} strokeWidth="3" strokeLinecap="round" />
        <Scene {...scenes.sea} x={30} y={26} width={100} height={52} />
        <path d="M12 83h136l-4 8q-1 2-5 2H21q-4 0-5-2Z" fill={ink} />
      </>
    ),
  },
}

/** A drawn device. Decorative: its name is shown beside it. */
export function DevicePicture({ device }: { device: SetupDevice }) {
  const { ground, parts } = pictures[device]
  return (
    <svg viewBox="0 0 160 104" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path fill={bar(ground)} d="M-200-100h560v304h-560Z" />
      {parts}
    </svg>
  )
}
