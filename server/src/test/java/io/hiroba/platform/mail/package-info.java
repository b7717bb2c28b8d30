/** Mail against real and scripted SMTP servers. */
@NullMarked
package io.hiroba.platform.mail;

import org.jspecify.annotations.NullMarked;
