/**
 * SQL that mends what earlier versions could leave in a local copy. A row whose element is gone, or is one of
 * another list, has an element of its own again: the next whole reading takes it away unless it comes. An
 * element that has not the rows that it brought is read anew when it comes.
 */
export const mendedElements = `
  update held set nth = 0, element = number + (select coalesce(max(number), 0) from element)
    where number in (select number from (
      select number, subject from held
      except select h.number, e.subject from held h join element e on e.number = h.element));
  insert into element (number, subject, place, digest, bytes, rows)
    select h.element, h.subject,
      h.number + (select coalesce(max(e.place), 0) from element e where e.subject = h.subject), x'', 0, 1
    from held h where not exists (select 1 from element e where e.number = h.element);
  update element set digest = x'', bytes = 0
    where rows <> (select count(*) from held h where h.element = element.number)`
