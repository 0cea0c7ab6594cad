import { useEffect } from 'react'
import { announce } from '#web/ui/announce.ts'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import type { StreamChoices } from '../stream-engine.ts'

type Setters = { setAudio: (id: number) => void; setLevel: (id: number) => void }
const automatic = -1

/** Chooses sound and quality, and chooses them again for the next stream: they are kept on this device by language and by height. */
export function useKeptChoices(choices: StreamChoices | undefined, { setAudio, setLevel }: Setters) {
  const [audioKey, keepAudio] = useLocalStorage('watch-audio')
  const [levelKey, keepLevel] = useLocalStorage('watch-quality')
  const { audio = [], audioId, levels = [], levelId = automatic } = choices ?? {}
  const wantedAudio = audio.find(({ key }) => key === audioKey)?.id
  const wantedLevel = levelKey === '' ? automatic : (levels.find(({ key }) => key === levelKey)?.id ?? automatic)
  // Levels are from the best to the lowest.
  const lower = levels.find((level) => (level.bitrate ?? 0) < (choices?.bitrate ?? 0))
  useEffect(() => {
    if (wantedAudio !== undefined && wantedAudio !== audioId) setAudio(wantedAudio)
  }, [wantedAudio, audioId, setAudio])
  useEffect(() => {
    if (levels.length > 0 && wantedLevel !== levelId) setLevel(wantedLevel)
  }, [wantedLevel, levelId, levels.length, setLevel])
  return {
    /** With what was chosen, which the stream follows a moment later. */
    choices: choices && { ...choices, audioId: wantedAudio ?? choices.audioId, levelId: wantedLevel },
    chooseAudio: (id: number) => {
      const { key = '', label } = audio.find((each) => each.id === id) ?? {}
      keepAudio(key)
      if (label) announce(`Audio: ${label}`)
    },
    chooseLevel: (id: number) => {
      const { key = '', label = 'Auto' } = levels.find((each) => each.id === id) ?? {}
      keepLevel(key)
      announce(label)
    },
    /** Chooses the best quality that needs less than the one that plays; undefined if there is none. */
    lowerQuality:
      lower &&
      (() => {
        keepLevel(lower.key)
        announce(lower.label)
      }),
    nextAudio: () => {
      const at = audio.findIndex(({ id }) => id === audioId)
      const next = audio[(at + 1) % audio.length]
      if (next) keepAudio(next.key)
      return next?.label
    },
  }
}
