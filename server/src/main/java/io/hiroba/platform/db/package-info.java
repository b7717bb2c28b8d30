/** PostgreSQL behind an explicit transaction: pool, migrations, retries by SQLSTATE. */
@NullMarked
package io.hiroba.platform.db;

import org.jspecify.annotations.NullMarked;
