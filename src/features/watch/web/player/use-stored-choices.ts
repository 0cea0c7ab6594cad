import { useEffect } from 'react'
import { announce } from '#web/ui/announce.ts'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import type { StreamChoices } from '../engine/stream-types.ts'

type Setters = { setAudio: (id: number) => void; setLevel: (id: number) => void }
const automatic = -1

/** Applies the audio track and quality that the viewer chose, to this and later streams. They are stored on this device by language and height. */
export function useStoredChoices(choices: StreamChoices | undefined, { setAudio, setLevel }: Setters) {
  const [audioKey, storeAudio] = useLocalStorage('watch-audio')
  const [levelKey, storeLevel] = useLocalStorage('watch-quality')
  const { audio = [], audioId, levels = [], levelId = automatic } = choices ?? {}
  const wantedAudio = audio.find(({ key }) => key === audioKey)?.id
  const wantedLevel = levelKey === '' ? automatic : (levels.find(({ key }) => key === levelKey)?.id ?? automatic)
  // Levels are sorted from the best to the worst.
  const lower = levels.find((level) => (level.bitrate ?? 0) < (choices?.bitrate ?? 0))
  useEffect(() => {
    if (wantedAudio !== undefined && wantedAudio !== audioId) setAudio(wantedAudio)
  }, [wantedAudio, audioId, setAudio])
  useEffect(() => {
    if (levels.length > 0 && wantedLevel !== levelId) setLevel(wantedLevel)
  }, [wantedLevel, levelId, levels.length, setLevel])
  return {
    /** The choices in the menus. The viewer's choices are already selected, although the stream switches a moment later. */
    choices: choices && { ...choices, audioId: wantedAudio ?? choices.audioId, levelId: wantedLevel },
    chooseAudio: (id: number) => {
      const { key = '', label } = audio.find((each) => each.id === id) ?? {}
      storeAudio(key)
      if (label) announce(`Audio: ${label}`)
    },
    chooseLevel: (id: number) => {
      const { key = '', label = 'Auto' } = levels.find((each) => each.id === id) ?? {}
      storeLevel(key)
      announce(label)
    },
    /** Chooses the best quality that needs less bandwidth than the current one; undefined if there is no lower quality. */
    lowerQuality:
      lower &&
      (() => {
        storeLevel(lower.key)
        announce(lower.label)
      }),
    /** Chooses the next audio track. Returns its label. */
    nextAudio: () => {
      const at = audio.findIndex(({ id }) => id === audioId)
      const next = audio[(at + 1) % audio.length]
      if (next) storeAudio(next.key)
      return next?.label
    },
  }
}
