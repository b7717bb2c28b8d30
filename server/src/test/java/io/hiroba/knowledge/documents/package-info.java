@NullMarked
package io.hiroba.knowledge.documents;

import org.jspecify.annotations.NullMarked;
