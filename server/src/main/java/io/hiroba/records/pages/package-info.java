/** The pages of records: projects, grids, forms, schemas, imports and charts. */
@NullMarked
package io.hiroba.records.pages;

import org.jspecify.annotations.NullMarked;
