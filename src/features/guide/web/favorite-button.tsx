import { Star } from 'lucide-react'
import type { Favorites } from './use-favorites.ts'

interface Props {
  channel: { id: number; name: string }
  favorites: Favorites
  /** Removes the button from the tab order, because the arrow keys of the grid reach it. */
  inGrid?: boolean
}

export function FavoriteButton({ channel, favorites, inGrid = false }: Props) {
  return (
    <button
      type="button"
      className="favorite"
      tabIndex={inGrid ? -1 : undefined}
      aria-pressed={favorites.isFavorite(channel.id)}
      aria-label={`Favorite ${channel.name}`}
      onClick={() => favorites.toggle(channel)}
    >
      <Star size={20} aria-hidden="true" />
    </button>
  )
}
