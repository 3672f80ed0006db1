/**
 * SQL for the order of the generations of a package, the newest first; an index of packages by their AIC has
 * the same.
 * @param row the name of the package's row in the query
 */
export const newestFirst = (row: string): string => `coalesce(${row}.generation, 0) desc, ${row}.id`

/**
 * SQL for which generation of its family a package is, the first being 1: archives count from 0 or from 1,
 * and may have removed some. Null for a package that stands in none.
 * @param row the name of the package's row in the query
 */
export const generationNumber = (row: string): string =>
  `case when ${row}.generation is not null and ${row}.aic is not null then
    (select count(*) from package earlier where earlier.aic = ${row}.aic
       and (coalesce(earlier.generation, 0), earlier.id) <= (coalesce(${row}.generation, 0), ${row}.id)) end`
