export interface LineupItem {
  name: string
  note: string
}
export interface LineupList {
  /** Its name in the URL. */
  id: string
  tab: string
  title: string
  lead: string
  /** The number of items before Show All; all by default. */
  initialCount?: number
  items: LineupItem[]
}

const parseItems = (text: string): LineupItem[] =>
  text
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', note = ''] = line.trim().split(': ')
      return { name, note }
    })

// First a selection from all continents, then the others in alphabetical order.
const countries = parseItems(`
  United States: English, Spanish
  Canada: English, French
  Mexico: Spanish
  United Kingdom: English
  France: French
  Germany: German
  Spain: Spanish, Catalan
  Italy: Italian
  Portugal: Portuguese
  Brazil: Portuguese
  Jamaica: English
  Nigeria: English, Hausa, Yoruba
  India: Hindi, Tamil, Punjabi
  Philippines: Filipino, English
  Australia: English
  Albania: Albanian
  Argentina: Spanish
  Austria: German
  Belgium: Dutch, French
  Bulgaria: Bulgarian
  Chile: Spanish
  Colombia: Spanish
  Costa Rica: Spanish
  Croatia: Croatian
  Czechia: Czech
  Denmark: Danish
  Dominican Republic: Spanish
  Ecuador: Spanish
  Egypt: Arabic
  Finland: Finnish, Swedish
  Greece: Greek
  Haiti: Haitian Creole, French
  Hungary: Hungarian
  Ireland: English, Irish
  Japan: Japanese
  Morocco: Arabic, French
  Netherlands: Dutch
  New Zealand: English, Māori
  Norway: Norwegian
  Pakistan: Urdu, Punjabi
  Peru: Spanish
  Poland: Polish
  Romania: Romanian
  Serbia: Serbian
  South Africa: English, Zulu, Afrikaans
  South Korea: Korean
  Sweden: Swedish
  Switzerland: German, French, Italian
  Turkey: Turkish
  Ukraine: Ukrainian
  Uruguay: Spanish
  Venezuela: Spanish
  Vietnam: Vietnamese
`)

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
  Velvet Aisle Cinema: Films of the season and of the awards
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
  Sitcoms: One living room after the other
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
  },
  { id: 'sports', tab: 'Sports', title: 'Sports', lead: 'Every sport, every season.', initialCount: 12, items: sports },
  {
    id: 'premium',
    tab: 'Premium',
    title: 'Premium packages',
    lead: 'Films and series without breaks, sorted by taste.',
    items: premium,
  },
  {
    id: 'streaming',
    tab: 'Streaming',
    title: 'Streaming collections',
    lead: 'To start and stop whenever you like.',
    initialCount: 10,
    items: streaming,
  },
  { id: '24-7', tab: '24/7', title: '24/7 channels', lead: 'One theme, around the clock.', items: aroundTheClock },
]
