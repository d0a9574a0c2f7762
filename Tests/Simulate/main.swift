import Glibc
import ServedWorlds
import Simulation

exit(SimulateCommand(arguments: CommandLine.arguments, code: OwnServerCode()).run())
