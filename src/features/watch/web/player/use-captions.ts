import { type RefObject, useEffect, useState } from 'react'
import { announce } from '#web/ui/announce.ts'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import { languageName } from '../language-name.ts'
import type { Choice } from '../stream-engine.ts'

export type Captions = { tracks: Choice[]; shownId: number; choose: (id: number) => void; toggle: () => void }
const off = 'off'

/**
 * The captions of the stream. The choice is kept on this device by language; without one, a track that the browser shows because of the settings of
 * the system stays on. `shownId` is -1 while none is shown.
 */
export function useCaptions(video: RefObject<HTMLVideoElement | null>): Captions {
  const [kept, keep] = useLocalStorage('watch-captions')
  const [tracks, setTracks] = useState<Choice[]>([])
  const [showingId, setShowingId] = useState(-1)
  useEffect(() => {
    const list = video.current?.textTracks
    if (!list) return
    const read = () => {
      const found = captionsIn(list)
      setTracks(
        found.map((track, id) => ({
          id,
          label: languageName(track.language) ?? (track.label || 'Captions'),
          detail: track.kind === 'captions' ? 'CC' : '',
          key: track.language || track.label || 'unknown',
        })),
      )
      setShowingId(found.findIndex(({ mode }) => mode === 'showing'))
    }
    const apply = () => {
      const found = captionsIn(list)
      if (kept !== '')
        for (const track of found)
          track.mode = kept !== off && (track.language || track.label || 'unknown') === kept ? 'showing' : 'hidden'
      read()
    }
    apply()
    list.addEventListener('addtrack', apply)
    list.addEventListener('removetrack', read)
    list.addEventListener('change', read)
    return () => {
      list.removeEventListener('addtrack', apply)
      list.removeEventListener('removetrack', read)
      list.removeEventListener('change', read)
    }
  }, [video, kept])
  // A choice counts as soon as it is made; the browser shows it a moment later.
  const shownId = kept === '' ? showingId : tracks.findIndex(({ key }) => key === kept)
  const choose = (id: number) => {
    const { key = off, label = 'off' } = tracks[id] ?? {}
    keep(key)
    announce(`Subtitles ${label}`)
  }
  return { tracks, shownId, choose, toggle: () => choose(shownId >= 0 ? -1 : 0) }
}

const captionsIn = (list: TextTrackList): TextTrack[] =>
  [...list].filter(({ kind }) => kind === 'captions' || kind === 'subtitles')
