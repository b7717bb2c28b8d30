/** The modular monolith: a platform without feature knowledge, and one package a feature. */
@NullMarked
package io.hiroba;

import org.jspecify.annotations.NullMarked;
