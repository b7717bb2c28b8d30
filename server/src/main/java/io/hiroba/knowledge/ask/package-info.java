/** Questions answered from knowledge, with citations: by a chat model where one is configured, by the passages alone else. */
@NullMarked
package io.hiroba.knowledge.ask;

import org.jspecify.annotations.NullMarked;
