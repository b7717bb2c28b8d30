/** Read access by SQL: a role and views for a project (ADR 115). */
@NullMarked
package io.hiroba.records.sql;

import org.jspecify.annotations.NullMarked;
