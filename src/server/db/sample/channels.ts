import type { ChannelCategory } from '#features/catalog/contract.ts'
import { markLogo } from '#kit/mark-logo.ts'
import type { channels } from '../tables.ts'
import { basketballCities, footballCities, hockeyCities, soccerCities } from './team-cities.ts'

/** Public broadcasters and freely receivable channels, or invented names. An asterisk marks featured channels, a plus channels with a preview. */
const names: Record<ChannelCategory, string[]> = {
  entertainment: [
    'BBC One*',
    'BBC Two',
    'ITV1',
    'Channel 4',
    'PBS*',
    'Front Porch TV+',
    'Laugh Cellar',
    'Kitchen Table+',
    'Quiz Parlor',
    'Open Road+',
    'Harbor Drama*+',
    'Retro Attic+',
  ],
  movies: [
    'Matinee One*+',
    'Matinee Two',
    'Midnight Reel*+',
    'Silver Noir+',
    'Projector Classics',
    'Popcorn Action+',
    'Indie Loft',
    'Orbit Sci-Fi+',
    'Dusty Trail Westerns',
    'Romance Row+',
    'Festival Screen',
    'Family Feature+',
  ],
  sports: [
    'Corner Flag Live+',
    'Full Court Press',
    'Pit Lane*+',
    'Center Court Live*+',
    'Ringside Nights',
    'Breakaway Cycling',
    'Long Fairway+',
    'Open Water+',
    'Summit Extreme+',
    'Bat and Ball',
    'Photo Finish Racing',
  ],
  nba_teams: teams(basketballCities, 'Hardwood'),
  nfl_teams: teams(footballCities, 'Gridiron'),
  nhl_teams: teams(hockeyCities, 'Ice'),
  soccer: teams(soccerCities, 'Football'),
  news: [
    'Al Jazeera English',
    'Arirang TV',
    'BBC News*',
    'DW English*',
    'Euronews',
    'France 24',
    'NHK World-Japan',
    'Rai News 24',
    'tagesschau24',
    'TRT World',
    'TVP World',
    'UN Web TV',
  ],
  kids: [
    'CBBC',
    'CBeebies',
    'Clan',
    'KiKA*',
    'PBS Kids',
    'Rai Yoyo',
    'Cardboard Rocket*+',
    'Junior Laboratory+',
    'Puddle Jump+',
    'Story Teapot+',
  ],
  international: [
    'arte*',
    'Das Erste',
    'ZDF',
    'France 2',
    'TV5MONDE',
    'La 1',
    'Rai 1',
    'RTP Internacional',
    'NPO 1',
    'SVT1',
    'Yle TV1',
    'RTÉ One',
    'ERT World',
    'KBS World',
    'DD National',
    'TV Brasil',
  ],
}

/** Every third team has a preview. */
function teams(cities: string[], word: string): string[] {
  return cities.map((city, index) => `${city} ${word}${index % 3 === 0 ? '+' : ''}`)
}

/** The test streams of `scripts/make-previews.ts`. */
const previews = ['bars', 'waves', 'orbit', 'rings']
const previewUrl = (index: number) => `/previews/${previews[index % previews.length]}/index.m3u8`

/** The channels of a new installation with SEED=sample. */
export const sampleChannels: (typeof channels.$inferInsert)[] = Object.entries(names).flatMap(([category, list]) =>
  list.map((entry, index) => {
    const name = entry.replace(/[*+]+$/, '')
    const marks = entry.slice(name.length)
    return {
      name,
      category: category as ChannelCategory,
      logo: markLogo(name),
      previewUrl: marks.includes('+') ? previewUrl(index) : null,
      featured: marks.includes('*'),
    }
  }),
)
