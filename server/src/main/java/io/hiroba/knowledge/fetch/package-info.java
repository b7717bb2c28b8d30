/** Pages fetched from the web, without letting anybody reach what only this machine can. */
@NullMarked
package io.hiroba.knowledge.fetch;

import org.jspecify.annotations.NullMarked;
