import type { ChannelCategory } from '../../contract.ts'

export interface LineupItem {
  name: string
  note: string
  /** The letters of the mark if they are not the initials of the name, such as a country code. */
  code?: string
}
export interface LineupList {
  /** The name of the list in the URL. */
  id: string
  tab: string
  title: string
  lead: string
  /** The number of items before Show All; all by default. */
  initialCount?: number
  items: LineupItem[]
  /** The category of /channels to which the items link. */
  category: ChannelCategory
  /** The categories of items that link to another category, by item name. */
  otherCategories?: Record<string, ChannelCategory>
}

/** Returns the category of /channels to which an item links. */
export const categoryOf = ({ category, otherCategories }: LineupList, name: string): ChannelCategory =>
  otherCategories?.[name] ?? category

const parseItems = (text: string): LineupItem[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', note = ''] = line.trim().split(': ')
      return { name, note }
    })

// With ISO 3166 codes. First a selection from all continents, then the others in alphabetical order.
const countries = parseItems(`
  US United States: English, Spanish
  CA Canada: English, French
  MX Mexico: Spanish
  GB United Kingdom: English
  FR France: French
  DE Germany: German
  ES Spain: Spanish, Catalan
  IT Italy: Italian
  PT Portugal: Portuguese
  BR Brazil: Portuguese
  JM Jamaica: English
  NG Nigeria: English, Hausa, Yoruba
  IN India: Hindi, Tamil, Punjabi
  PH Philippines: Filipino, English
  AU Australia: English
  AL Albania: Albanian
  AR Argentina: Spanish
  AT Austria: German
  BE Belgium: Dutch, French
  BG Bulgaria: Bulgarian
  CL Chile: Spanish
  CO Colombia: Spanish
  CR Costa Rica: Spanish
  HR Croatia: Croatian
  CZ Czechia: Czech
  DK Denmark: Danish
  DO Dominican Republic: Spanish
  EC Ecuador: Spanish
  EG Egypt: Arabic
  FI Finland: Finnish, Swedish
  GR Greece: Greek
  HT Haiti: Haitian Creole, French
  HU Hungary: Hungarian
  IE Ireland: English, Irish
  JP Japan: Japanese
  MA Morocco: Arabic, French
  NL Netherlands: Dutch
  NZ New Zealand: English, Māori
  NO Norway: Norwegian
  PK Pakistan: Urdu, Punjabi
  PE Peru: Spanish
  PL Poland: Polish
  RO Romania: Romanian
  RS Serbia: Serbian
  ZA South Africa: English, Zulu, Afrikaans
  KR South Korea: Korean
  SE Sweden: Swedish
  CH Switzerland: German, French, Italian
  TR Turkey: Turkish
  UA Ukraine: Ukrainian
  UY Uruguay: Spanish
  VE Venezuela: Spanish
  VN Vietnam: Vietnamese
`).map(({ name, note }) => ({ name: name.slice(3), note, code: name.slice(0, 2) }))

const sports = parseItems(`
  Soccer: Leagues, cups and internationals
  American Football: Pro and college seasons
  Basketball: Regular season to the finals
  Ice Hockey: From the first drop to the last horn
  Baseball: Every inning, spring to fall
  Boxing: Undercards and title fights
  Mixed Martial Arts: Fight nights, live
  Motor Racing: Circuits, ovals and rallies
  Tennis: Hard court, clay and grass
  Golf: All four rounds
  Cricket: Tests, one-days and short form
  Rugby: Union and league
  Athletics: Track, field and marathons
  Cycling: Grand tours and one-day races
  Darts: Nine-darters and majors
  Esports: Leagues and world finals
  Horse Racing: Flat and jumps
  Swimming: Pool and open water
  Volleyball: Indoor and beach
  Winter Sports: Snow, ice and sleds
  Wrestling: Mat and ring
`)

const premium = parseItems(`
  Velvet Aisle Cinema: Award winners and films of the season
  Slow Burn Drama: Series in whole seasons
  Long Shadow Crime: Detectives, courts and suspense
  Far Orbit Sci-Fi: Space, time and other worlds
  Last Laugh Comedy: Sitcoms and stand-up specials
  Cellar Door Horror: For after midnight
  Dust and Spurs: Westerns, restored
  Wide Earth Documentary: Nature, science and travel
  Gilded Stage Arts: Opera, ballet and theater
  Amplified Live Music: Concerts from the front row
  Paper Kite Family: Films for the whole family
  Extra Time Sports: More games at the same time
`)

const streaming = parseItems(`
  Box Set Pantry: Whole series, first to last
  Fresh Shelf: New every week
  True Story Vault: Documentaries and biographies
  Subtitle Society: World cinema
  Animation Lantern: Animated series for grown-ups
  Garden of K-Drama: Korean series
  Telenovela Plaza: From Latin America and Spain
  Masala Matinee: Films from India
  Cabin Noir: Nordic crime
  Teatime Comedy: British sitcoms
  Reality Check: Contests and everyday people
  Blanket Fort: Films and series for kids
  Rerun Attic: Television of earlier decades
  Short Film Shelf: Big ideas in ten minutes
  Test Kitchen: Cooking and baking
`)

const aroundTheClock = parseItems(`
  Sitcoms: One living room after another
  Classic Films: Black, white and silver
  Westerns: High noon at any hour
  Detectives: Somebody always did it
  Cartoons: Saturday morning all week
  Game Shows: Spin, guess, win
  Stand-Up: One stage, one microphone
  Cooking: Something is always in the oven
  Nature: Forests, reefs and savannas
  Space: Launches and the view from above
  Train Rides: From the driver's cab
  Aquarium: Fish, and nothing but fish
  Fireplace: Crackling in high definition
  Quiet Beats: Music to work and study by
  Courtrooms: Cases from opening to verdict
  Holiday Films: Snow, even in July
`)

/** The tabs after Overview, in order (specification 2, Channels). */
export const lineupLists: LineupList[] = [
  {
    id: 'countries',
    tab: 'Countries',
    title: 'Channels by country',
    lead: 'Television from home, wherever home is.',
    initialCount: 15,
    items: countries,
    category: 'international',
  },
  {
    id: 'sports',
    tab: 'Sports',
    title: 'Sports',
    lead: 'Every sport, every season.',
    initialCount: 12,
    items: sports,
    category: 'sports',
    otherCategories: {
      Soccer: 'soccer',
      'American Football': 'nfl_teams',
      Basketball: 'nba_teams',
      'Ice Hockey': 'nhl_teams',
    },
  },
  {
    id: 'premium',
    tab: 'Premium',
    title: 'Premium packages',
    lead: 'Films and series without breaks, sorted by taste.',
    items: premium,
    category: 'movies',
    otherCategories: {
      'Slow Burn Drama': 'entertainment',
      'Long Shadow Crime': 'entertainment',
      'Last Laugh Comedy': 'entertainment',
      'Wide Earth Documentary': 'entertainment',
      'Gilded Stage Arts': 'entertainment',
      'Amplified Live Music': 'entertainment',
      'Paper Kite Family': 'kids',
      'Extra Time Sports': 'sports',
    },
  },
  {
    id: 'streaming',
    tab: 'Streaming',
    title: 'Streaming collections',
    lead: 'To start and stop whenever you like.',
    initialCount: 10,
    items: streaming,
    category: 'entertainment',
    otherCategories: {
      'Subtitle Society': 'movies',
      'Masala Matinee': 'movies',
      'Short Film Shelf': 'movies',
      'Garden of K-Drama': 'international',
      'Telenovela Plaza': 'international',
      'Cabin Noir': 'international',
      'Blanket Fort': 'kids',
    },
  },
  {
    id: '24-7',
    tab: '24/7',
    title: '24/7 channels',
    lead: 'One theme, around the clock.',
    items: aroundTheClock,
    category: 'entertainment',
    otherCategories: { 'Classic Films': 'movies', Westerns: 'movies', 'Holiday Films': 'movies', Cartoons: 'kids' },
  },
]
