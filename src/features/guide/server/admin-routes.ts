import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import { listListings, listMatches } from './match/list-matches.ts'
import { resetMatch, setMatch } from './match/set-match.ts'
import { listSources } from './sources/list-sources.ts'
import { finishUpload, storePart } from './sources/receive-upload.ts'
import { createSource, deleteSource, requestRead, updateSource } from './sources/save-source.ts'

export const adminRoutes: Route[] = [
  implement(contract.listGuideSources, ({ db, config }) => listSources(db, config)),
  implement(contract.createGuideSource, ({ db, config, user, body, requestId }) =>
    createSource({ db, config }, body, { admin: user, requestId }),
  ),
  implement(contract.updateGuideSource, ({ db, config, user, params, body, requestId }) =>
    updateSource({ db, config }, params.sourceId, body, { admin: user, requestId }),
  ),
  implement(contract.deleteGuideSource, ({ db, user, params, query, requestId }) =>
    deleteSource(db, params.sourceId, query.version, { admin: user, requestId }),
  ),
  implement(contract.readGuideSource, ({ db, user, params, requestId }) =>
    requestRead(db, params.sourceId, { admin: user, requestId }),
  ),
  implement(contract.sendGuidePart, ({ db, params, body }) => storePart(db, params, body)),
  implement(contract.finishGuideUpload, ({ db, user, params, body, requestId }) =>
    finishUpload(db, { ...params, ...body }, { admin: user, requestId }),
  ),
  implement(contract.listChannelMatches, ({ db, query }) => listMatches(db, query)),
  implement(contract.listListings, ({ db, params, query }) => listListings(db, params.channelId, query.search)),
  implement(contract.setChannelMatch, ({ db, user, params, body, requestId }) =>
    setMatch(db, params.channelId, body, { admin: user, requestId }),
  ),
  implement(contract.resetChannelMatch, ({ db, user, params, requestId }) =>
    resetMatch(db, params.channelId, { admin: user, requestId }),
  ),
]
