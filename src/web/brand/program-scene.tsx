import { clsx } from 'clsx'
import { sceneOf } from './scene-choice.ts'
import scenes from './scenes.svg?url'

interface Props {
  title: string
  /** The second line of the program in the guide, such as a genre. */
  detail?: string | undefined
  /** The category of the channel. */
  category: string
  className?: string
}

/** A drawing for a program, with an aspect ratio of 16:9. Decorative, since the title is shown beside it. Its colors need `scenes.css`. */
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
