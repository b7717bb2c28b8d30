/**
 * The command line client.
 *
 * <p>It knows the server's HTTP interface and nothing else of it. A new command is one class that extends
 * {@link io.hiroba.cli.RemoteCommand} and one line in the {@code subcommands} of {@link io.hiroba.cli.Hiroba} or of the
 * group it belongs to.
 */
@NullMarked
package io.hiroba.cli;

import org.jspecify.annotations.NullMarked;
