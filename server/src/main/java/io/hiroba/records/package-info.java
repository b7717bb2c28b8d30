/**
 * Typed records of any shape: projects, their members, and the schemas, records, queries and transfers in sub-packages.
 *
 * <p>A project has tables of its own. A record is one document; triggers of the project's tables spread its values, typed,
 * over the table that is indexed, and keep unique values, references and history, so that no way of writing a record can
 * leave them behind. Identifiers in SQL are made by {@link io.hiroba.records.ProjectTables} alone. Who is no member of a project
 * is told that there is none.
 */
@NullMarked
package io.hiroba.records;

import org.jspecify.annotations.NullMarked;
