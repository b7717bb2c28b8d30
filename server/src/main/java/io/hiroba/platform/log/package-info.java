/** The form and the room of the server's logs (ADR 130). */
@NullMarked
package io.hiroba.platform.log;

import org.jspecify.annotations.NullMarked;
