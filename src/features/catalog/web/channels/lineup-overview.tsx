import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Site } from '#features/settings/contract.ts'
import { query } from '#web/data.ts'
import { ButtonLink } from '#web/ui/button/button-link.tsx'
import { listChannels } from '../../contract.ts'
import { categoryName, teamCategories } from '../../rules.ts'

/** The figures of the lineup, the counts of team channels and the link to a trial (specification 2, Channels). */
export function LineupOverview({ claims }: { claims: Site['claims'] }) {
  const { data: channels, isError } = useQuery(query(listChannels))
  const figures = [
    { figure: claims.totalChannels, about: 'total channels' },
    { figure: claims.worldCountries, about: 'countries covered' },
    { figure: `${claims.catchUpDays} days`, about: 'of catch-up on select premium channels' },
  ]
  const teams = teamCategories
    .map((category) => ({ category, count: channels?.filter((channel) => channel.category === category).length }))
    .filter(({ count }) => count !== 0)
  return (
    <>
      <h2>Overview</h2>
      <dl className="lineup-figures">
        {figures.map(({ figure, about }) => (
          <div key={about}>
            <dt>{about}</dt>
            <dd className="display num">{figure}</dd>
          </div>
        ))}
      </dl>
      {teams.length > 0 && <h3 className="lineup-subtitle">Team channels</h3>}
      <ul className="lineup-teams">
        {teams.map(({ category, count }) => {
          return (
            <li key={category}>
              <Link to="/channels" search={{ category }} className="lineup-team">
                <span>{categoryName(category)}</span>
                {count === undefined ? (
                  !isError && <span className="skeleton">00 channels</span>
                ) : (
                  <span>
                    <b className="num">{count}</b> {count === 1 ? 'channel' : 'channels'}
                  </span>
                )}
              </Link>
            </li>
          )
        })}
      </ul>
      <div className="lineup-trial stage">
        <div>
          <h3>See it on your own screen</h3>
          <p>Request a free trial. Trials typically last {claims.trialHours} hours.</p>
        </div>
        <ButtonLink to="/request-trial">Request Free Trial</ButtonLink>
      </div>
    </>
  )
}
