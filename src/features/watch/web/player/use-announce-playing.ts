import { useEffect, useRef } from 'react'
import { clockTime } from '#kit/clock.ts'
import { announce } from '#web/ui/announce.ts'
import { useTimeZone } from '#web/ui/time/use-time-zone.ts'

/** The program that is playing. `detail`: its second line of text, such as the episode. `endsAt`: when it ends, if it is on now. */
export type ShownProgram = { title: string; detail: string; endsAt?: string }
type Playing = { isPlaying: boolean; isBuffering: boolean; channelName: string; program: ShownProgram | undefined }

/** Announces to screen readers the channel and its program as soon as there is a picture, and that playback continues after buffering. */
export function useAnnouncePlaying({ isPlaying, isBuffering, channelName, program }: Playing): void {
  const zone = useTimeZone()
  const tuned = useRef('')
  tuned.current = tunedText(channelName, program, zone)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each channel
  useEffect(() => {
    if (isPlaying) announce(tuned.current)
  }, [isPlaying, channelName])
  useEffect(() => {
    if (isBuffering) return () => announce('Playing')
  }, [isBuffering])
}

/** Returns the announcement, such as `Harbor Drama. The Keeper’s Daughter, until 9:00 PM.` */
function tunedText(channel: string, program: ShownProgram | undefined, zone: string): string {
  if (!program) return `Playing ${channel}`
  return `${channel}. ${program.title}${program.endsAt ? `, until ${clockTime(program.endsAt, zone)}` : ''}.`
}
