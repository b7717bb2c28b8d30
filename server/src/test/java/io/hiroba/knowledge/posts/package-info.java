@NullMarked
package io.hiroba.knowledge.posts;

import org.jspecify.annotations.NullMarked;
