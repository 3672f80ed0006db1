import type { Authorization } from '../electron/archive-client/exchange.ts'
import { reach as reachIn } from '../electron/archive-client/http.ts'
import { fixedRouting, type Routing } from '../electron/archive-client/routes.ts'
import { speaking, type Remote } from '../electron/dialects/dialect.ts'
import { specification } from '../electron/dialects/specification.ts'

/** A client for an archive that divides its lists as the specification does. */
export const reach = (
  url: string,
  authorization: Parameters<typeof reachIn>[1],
  language: () => string,
  routing: Routing = fixedRouting(),
) => reachIn(url, authorization, language, specification.manner, routing)

/** An archive of the specification, to be asked. */
export const remote = (url: string, authorization?: Authorization): Remote =>
  speaking(
    reach(url, authorization, () => 'en'),
    specification,
  )
