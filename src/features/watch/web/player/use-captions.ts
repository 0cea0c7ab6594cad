import { type RefObject, useEffect, useState } from 'react'
import { announce } from '#web/ui/announce.ts'
import { useLocalStorage } from '#web/ui/use-local-storage.ts'
import type { Choice } from '../engine/stream-types.ts'
import { languageName } from '../language-name.ts'

export type Captions = { tracks: Choice[]; shownId: number; choose: (id: number) => void; toggle: () => void }
const off = 'off'

/**
 * Returns the captions of the stream. The viewer's choice is stored on this device by language. Without a choice, a track that the browser shows because of the
 * system settings stays on. `shownId` is -1 if no track is shown.
 */
export function useCaptions(video: RefObject<HTMLVideoElement | null>): Captions {
  const [stored, store] = useLocalStorage('watch-captions')
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
      if (stored !== '')
        for (const track of found)
          track.mode = stored !== off && (track.language || track.label || 'unknown') === stored ? 'showing' : 'hidden'
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
  }, [video, stored])
  // The viewer's choice is returned immediately; the browser shows it a moment later.
  const shownId = stored === '' ? showingId : tracks.findIndex(({ key }) => key === stored)
  const choose = (id: number) => {
    const { key = off, label = 'off' } = tracks[id] ?? {}
    store(key)
    announce(`Subtitles ${label}`)
  }
  return { tracks, shownId, choose, toggle: () => choose(shownId >= 0 ? -1 : 0) }
}

const captionsIn = (list: TextTrackList): TextTrack[] =>
  [...list].filter(({ kind }) => kind === 'captions' || kind === 'subtitles')
