/** PostgreSQL behind an explicit transaction: pool, statements with named parameters, migrations, retries by SQLSTATE. */
@NullMarked
package io.hiroba.platform.db;

import org.jspecify.annotations.NullMarked;
