/**
 * Typed records of any shape: projects, their members, and the schemas, records, queries and transfers in sub-packages.
 *
 * <p>A project has its own tables. A record is one document; triggers copy its typed values to the indexed table and
 * maintain unique values, references and history, so that no writer can bypass them. SQL identifiers are only built by
 * {@link io.hiroba.records.ProjectTables}. For users who are not members, a project does not exist.
 */
@NullMarked
package io.hiroba.records;

import org.jspecify.annotations.NullMarked;
