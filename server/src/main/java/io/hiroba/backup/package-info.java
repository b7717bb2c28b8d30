/** Backups of the embedded database with all files of a node, and their restoration (ADR 107). */
@NullMarked
package io.hiroba.backup;

import org.jspecify.annotations.NullMarked;
