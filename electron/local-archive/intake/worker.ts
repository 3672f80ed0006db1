import { serveRequests } from '../../common/serve-requests.ts'
import { codeOf, messageOf } from '../../common/errors.ts'
import { NoSpace } from '../system-error.ts'
import { openIntake, type IntakeRequest, type Outcome } from './intake.ts'

const outcomeOf = async <Value>(work: () => Value | Promise<Value>): Promise<Outcome<Value>> => {
  try {
    return { value: await work() }
  } catch (error) {
    return {
      trouble: { message: messageOf(error), code: codeOf(error), isNoSpace: error instanceof NoSpace },
    }
  }
}

const intake = openIntake()
const each = <Item, Value>(items: Item[], work: (item: Item) => Value | Promise<Value>) =>
  Promise.all(items.map((item) => outcomeOf(() => work(item))))

serveRequests<IntakeRequest>((request) => {
  switch (request.name) {
    case 'inspect':
      return each(request.items, intake.inspect)
    case 'receive':
      return each(request.items, intake.receive)
    case 'fingerprintOf':
      return each(request.items, intake.fingerprintOf)
    case 'copy':
      return each(request.items, intake.copy)
    case 'remove':
      return each(request.items, intake.remove)
  }
})
