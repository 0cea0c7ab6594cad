import { ChannelMark } from './channel-mark.tsx'

const names =
  'Cinema One,Sport 24,World News,Kids Club,Drama Box,Goal TV,Retro Reels,Docu Prime,Music Live,Food Lab,Comedy Hub,Night Court,Action 7,Nature HD,Motor X,Anime Zone,Family Room,Ring Side,Global Beat,Sci Fi,Court Side,Ice Time,Pitch Live,Toon Bay,Latin Mix,Bolly Gold,Euro Max,Asia Now,Afro Vibes,News Desk,Late Show,Front Row,Home Team,Red Zone,Mystery +,Classic 4'.split(
    ',',
  )
const large = new Set(['Music Live', 'Ice Time'])

/** The logos of 36 fictional channels behind the headline. Decorative. */
export function HeroWall() {
  return (
    <div className="hero-wall">
      {names.map((name) => (
        <ChannelMark key={name} name={name} className={large.has(name) ? 'mark-large' : undefined} />
      ))}
    </div>
  )
}
