import { textHash } from './text-hash.ts'

/** The drawings of `scenes.svg`, by the id of their symbol. */
export const scenes = [
  ...['balcony', 'city', 'court', 'dance', 'flask', 'grid', 'harbor', 'hills', 'kitchen', 'mesa', 'mic', 'news'],
  ...['noir', 'ocean', 'orbit', 'pitch', 'puddle', 'quiz', 'reel', 'ring', 'rink', 'road', 'rocket', 'sofa'],
  ...['teapot', 'tennis', 'track', 'truck', 'weather'],
] as const
export type SceneName = (typeof scenes)[number]

/** The color palettes for scenes. `scenes.css` has a class for each, such as `scene-dusk`. */
export const palettes = ['dusk', 'day', 'field', 'fire', 'deep', 'noir', 'candy', 'sun', 'grape', 'ice'] as const

/** Categories with only one kind of program, and their scene. Words such as "news" or "night" in the titles do not matter there. */
const onlyScene: Record<string, SceneName> = {
  nba_teams: 'court',
  nfl_teams: 'grid',
  nhl_teams: 'rink',
  soccer: 'pitch',
}

/** Words in the title or the second line of a program, and the scenes that fit them. The first matching row is used. */
const byWord: readonly [words: string, ...SceneName[]][] = [
  ['weather|storm|forecast|hurricane', 'weather'],
  ['soccer|fútbol|futbol|la liga|premier league|champions league|bundesliga|serie a', 'pitch'],
  ['basketball|nba|wnba', 'court'],
  ['american football|nfl|gridiron|touchdown|super bowl', 'grid'],
  ['hockey|nhl', 'rink'],
  ['tennis|wimbledon|badminton', 'tennis'],
  ['racing|grand prix|formula|nascar|rally|motogp', 'track'],
  ['boxing|wrestling|mma|ufc|fight night', 'ring'],
  ['ocean|sea|sailing|regatta|surf|shark|whale|swimming', 'ocean'],
  ['news|noticias|noticiero|telediario|journal|headlines|correspondent|business|market|politics', 'news', 'city'],
  ['food truck|street food', 'truck'],
  ['cook|cooking|kitchen|chef|bake|baking|baker|recipe|food|dinner', 'kitchen'],
  ['comedy|stand-up|laugh|late show|late night', 'mic'],
  ['quiz|jeopardy|trivia|game show|wheel of', 'quiz'],
  ['music|concert|dance|disco|hits|karaoke', 'dance'],
  ['home|house|garden|renovation|property|sitcom|family', 'sofa'],
  ['travel|road|journey|trip|adventure', 'road', 'hills'],
  ['nature|wild|planet|mountain|hiking|ski|snow', 'hills'],
  ['crime|murder|detective|mystery|noir|police|law', 'noir'],
  ['sci-fi|science fiction|space|galaxy|star|alien|robot', 'orbit'],
  ['science|experiment|laboratory|inventor', 'flask'],
  ['western|cowboy|desert|canyon', 'mesa'],
  ['romance|love|wedding|bride|heart', 'balcony'],
  ['cartoon|kids|bedtime|fairy', 'rocket', 'flask', 'teapot', 'puddle', 'truck'],
  ['movie|film|cinema', 'reel'],
  ['drama|thriller', 'harbor', 'city', 'puddle'],
]

/** The scenes of programs without such words, by the category of their channel. */
const byCategory: Record<string, readonly SceneName[]> = {
  movies: ['reel', 'harbor', 'city', 'puddle', 'balcony'],
  sports: ['hills', 'ocean', 'track'],
  news: ['news', 'city'],
  kids: ['rocket', 'flask', 'teapot', 'puddle', 'truck'],
  international: ['road', 'balcony', 'city', 'harbor'],
}
const defaultScenes: readonly SceneName[] = ['sofa', 'city', 'dance', 'harbor']

interface Program {
  title: string
  /** The second line of the program in the guide, such as a genre. */
  detail?: string | undefined
  /** The category of the channel. */
  category: string
}

const patterns = byWord.map(([words]) => new RegExp(`\\b(${words})s?\\b`))

/**
 * Returns the picture of a program: its words and category determine the scene, and its title determines the colors. A program always gets the same picture.
 */
export function sceneOf({ title, detail = '', category }: Program): {
  scene: SceneName
  palette: (typeof palettes)[number]
} {
  const seed = textHash(title)
  const words = `${title} ${detail}`.toLowerCase()
  const [, ...found] = byWord[patterns.findIndex((pattern) => pattern.test(words))] ?? []
  const fitting = found.length > 0 ? found : (byCategory[category] ?? defaultScenes)
  return {
    scene: onlyScene[category] ?? fitting[seed % fitting.length]!,
    palette: palettes[(seed >>> 8) % palettes.length]!,
  }
}
