import { clsx } from 'clsx'
import { sceneOf } from './scene-choice.ts'
import scenes from './scenes.svg?url'

interface Props {
  title: string
  /** The second line of the program, such as a genre. */
  detail?: string | undefined
  /** The category of the channel. */
  category: string
  className?: string
}

/** The drawn picture of a program, 16 by 9. Decorative, since the title is shown beside it. Its colors need `scenes.css`. */
export function ProgramScene({ className, ...program }: Props) {
  const { scene, palette } = sceneOf(program)
  return (
    <svg
      className={clsx('scene', `scene-${palette}`, className)}
      viewBox="0 0 160 90"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
    >
      <use href={`${scenes}#${scene}`} />
    </svg>
  )
}
