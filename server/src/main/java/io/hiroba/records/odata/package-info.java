/**
 * The records of a project as an OData service, for spreadsheets and programs that make reports (ADR 114). It reads what the
 * API of records reads, by the same queries.
 */
@org.jspecify.annotations.NullMarked
package io.hiroba.records.odata;
