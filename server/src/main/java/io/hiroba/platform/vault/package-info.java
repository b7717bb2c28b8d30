/** HashiCorp Vault: its secrets, and credentials of the database that it makes and takes away. */
@NullMarked
package io.hiroba.platform.vault;

import org.jspecify.annotations.NullMarked;
